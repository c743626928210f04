import { register } from '../../contract/pay/register.ts';
import type { Command } from '../command/command.ts';
import { fieldOfFlag, type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';
import { kindOf } from '../profiles/selection.ts';

const TENANT = register.example['tenant_data'] as Readonly<Record<string, string>>;

/** What any sandbox takes: whoever tries a payment there need not think of it. Nobody is reached by any of these. */
const OF_THE_SANDBOX: Readonly<Record<string, string | undefined>> = {
  '--public-client-id': TENANT['public_client_id'],
  '--webhook-url': TENANT['webhook_url'],
  '--payer-email': 'payer@example.com',
  '--payer-cpf': '529.982.247-25',
  '--payer-name': 'Ana Maria Souza',
  '--payer-ip': '203.0.113.7',
  '--session-id': 'session-1',
  '--statement-descriptor': 'SHOP',
  '--address-country': 'BR',
  '--address-state': 'SP',
  '--address-city': 'São Paulo',
  '--address-neighborhood': 'Bela Vista',
  '--address-street': 'Avenida Paulista',
  '--address-number': '1000',
  '--address-zipcode': '01310-100',
  '--phone-country': '55',
  '--phone-area': '11',
  '--phone-number': '999990000',
};

const OWN: Readonly<Record<string, string | undefined>> = {
  ...OF_THE_SANDBOX,
  '--split': '0x1111111111111111111111111111111111111111=100',
};

/** The example of the contract for a field of a command. */
const contractExample = async ({ calls = [] }: Command, flag: string): Promise<string | undefined> => {
  const { ENDPOINTS } = await import('../../contract/index.ts');
  const found = ENDPOINTS.filter(({ id }) => calls.includes(id)).map(
    ({ example }) => example[fieldOfFlag(flag).toLowerCase()],
  );
  return found.find((value): value is string => typeof value === 'string');
};

const DOCUMENTS: Readonly<Record<string, string | undefined>> = {
  CPF: '529.982.247-25',
  CNPJ: '11.222.333/0001-81',
  PASSPORT: 'AB123456',
};

/** What could stand for the value of an option or argument, beside what else is given. */
export const exampleOf = async (
  command: Command,
  flag: string,
  given: ParsedArgs = {},
): Promise<string | undefined> => {
  if (flag === '--payer-document') return DOCUMENTS[stringArg(given, 'payer-document-type') ?? 'CPF'];
  return OWN[flag] ?? contractExample(command, flag);
};

/** What a bare newline takes: nothing where money may be real. */
export const initialOf = async (cli: CommandContext, flag: string): Promise<string | undefined> =>
  kindOf(await cli.selection()) === 'sandbox' ? OF_THE_SANDBOX[flag] : undefined;
