import { Failure, type FailureDetails } from '../core/failure.ts';
import type { HttpFault } from '../io/http/http.ts';

const FAULT_TEXTS: Readonly<Record<HttpFault['reason'], string>> = {
  dns: 'the host name does not resolve',
  refused: 'nothing listens at this address',
  connect_timeout: 'connecting took too long',
  tls: 'the TLS connection failed',
  deadline: 'it did not answer in time',
  connection_lost: 'the connection was lost before an answer came',
  too_large: 'the answer is too large',
  bad_encoding: 'the answer is compressed and cannot be read',
  proxy: 'the proxy from the environment refused the connection',
  withheld: 'the call was not made',
  taken_over: 'the call was not made',
  interrupted: 'the call was interrupted',
};

/** The failure of a call that was refused because another process continues the work. Reads and waits end with it. */
export const takenOver = ({ message }: HttpFault, details: FailureDetails = {}): Failure =>
  new Failure('not_final', `this process stopped: ${message}`, {
    ...details,
    hint: 'This call was not made. A lease of the journal ended while this process or its connection was stopped.',
  });

type FaultText = { readonly message: string; readonly advice: string };

/** Texts for TLS faults, by the error code of Node or OpenSSL. */
const TLS: readonly (FaultText & { readonly code: RegExp })[] = [
  {
    code: /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF)/,
    message: 'this machine does not trust the issuer of the certificate',
    advice: 'If you trust the issuer, save its certificate to a file and set NODE_EXTRA_CA_CERTS to that file.',
  },
  {
    code: /^CERT_HAS_EXPIRED$/,
    message: 'the certificate has expired',
    advice: 'Check the clock of this machine. If it is right, the operator of the host must renew the certificate.',
  },
  {
    code: /^CERT_NOT_YET_VALID$/,
    message: 'the certificate is not valid yet',
    advice: 'Check the clock of this machine.',
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    message: 'the certificate is for another host',
    advice: 'Check the spelling of the host in the address.',
  },
  {
    code: /^(?:EPROTO|ERR_SSL_)/,
    message: 'the server does not speak TLS',
    advice: 'Check the host and the port of the address.',
  },
];

const tlsText = ({ reason, code = '' }: HttpFault): FaultText | undefined =>
  reason === 'tls' ? TLS.find((text) => text.code.test(code)) : undefined;

/** Why no answer came, as a clause for an error message. */
export const faultText = (fault: HttpFault): string => {
  const own = tlsText(fault);
  const words = own ? `${FAULT_TEXTS.tls}: ${own.message}` : FAULT_TEXTS[fault.reason];
  return `${words} (${fault.message})`;
};

/** The advice for a fault, if there is any. */
export const faultAdvice = (fault: HttpFault): string | undefined => {
  if (fault.reason === 'dns') return 'Check the spelling of the address and the network connection.';
  if (fault.reason === 'proxy') return 'Check HTTPS_PROXY, or add the host to NO_PROXY to connect directly.';
  return tlsText(fault)?.advice;
};
