import type { HttpFault } from '../io/exchange.ts';

const FAULT_TEXTS: Readonly<Record<HttpFault['reason'], string>> = {
  dns: 'the name of its host could not be resolved',
  refused: 'nothing listens at this address',
  connect_timeout: 'no connection could be made in time',
  tls: 'the secure connection could not be made',
  deadline: 'it did not answer in time',
  connection_lost: 'the connection was lost before an answer came',
  too_large: 'the answer is too large',
  bad_encoding: 'the answer is compressed, and cannot be read',
  proxy: 'the proxy of the environment did not let it through',
  interrupted: 'the call was interrupted',
};

type FaultText = { readonly message: string; readonly advice: string };

const UNKNOWN_AUTHORITY: FaultText = {
  message: 'its certificate was signed by nobody whom this machine trusts',
  advice: 'If you trust it, put the certificate of its authority into a file and name that in NODE_EXTRA_CA_CERTS.',
};

/** Faults of TLS by the code that Node or OpenSSL has for them. */
const TLS: readonly (readonly [RegExp, FaultText])[] = [
  [
    /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT|UNABLE_TO_VERIFY_LEAF)/,
    UNKNOWN_AUTHORITY,
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    {
      message: 'its certificate has expired',
      advice: 'Check the clock of this machine; otherwise its operator must renew it.',
    },
  ],
  [/^CERT_NOT_YET_VALID$/, { message: 'its certificate is not valid yet', advice: 'Check the clock of this machine.' }],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    {
      message: 'its certificate is for another host',
      advice: 'Check the address: is its host spelled as the certificate has it?',
    },
  ],
  [
    /^(?:EPROTO|ERR_SSL_)/,
    { message: 'the server does not speak TLS', advice: 'Check the host and the port of the address.' },
  ],
];

const tlsText = ({ reason, code = '' }: HttpFault): FaultText | undefined =>
  reason === 'tls' ? TLS.find(([pattern]) => pattern.test(code))?.[1] : undefined;

/** Why no answer came, as the end of a sentence about the service. */
export const faultText = (fault: HttpFault): string => {
  const own = tlsText(fault);
  const words = own ? `${FAULT_TEXTS.tls}: ${own.message}` : FAULT_TEXTS[fault.reason];
  return `${words} (${fault.message})`;
};

/** What to do about it, where there is something to do. */
export const faultAdvice = (fault: HttpFault): string | undefined => {
  if (fault.reason === 'dns') return 'Check the spelling of the address, and the connection of this machine.';
  if (fault.reason === 'proxy') return 'Look at HTTPS_PROXY, or name the host in NO_PROXY to go without.';
  return tlsText(fault)?.advice;
};
