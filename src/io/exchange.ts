/** One request, whole; `headers` have names in lower case. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number;
  /** An answer that is larger is cut off and is a fault. */
  readonly mostBytes: number;
};

/** An answer that came whole, whatever it says; `headers` have names in lower case, `http` is its status. */
export type HttpAnswer = {
  readonly kind: 'answer';
  readonly http: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

/** Why no answer came. */
export type HttpFaultReason =
  | 'dns'
  | 'refused'
  | 'connect_timeout'
  | 'tls'
  | 'deadline'
  | 'connection_lost'
  | 'too_large'
  | 'bad_encoding'
  | 'proxy'
  | 'interrupted';

/** `sent` is false only when the request is known not to have left. */
export type HttpFault = {
  readonly kind: 'fault';
  readonly reason: HttpFaultReason;
  readonly sent: boolean;
  readonly message: string;
  /** The code of Node or OpenSSL for it, such as CERT_HAS_EXPIRED. */
  readonly code?: string;
};

/** The network, as far as HTTP goes. */
export type Http = {
  /**
   * Follows no redirect, inflates to `mostBytes` at most, keeps no connection, never throws for what the network does.
   * Goes through the proxy that the environment names, but for this machine.
   */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer | HttpFault>;
};
