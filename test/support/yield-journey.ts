import { digitsOf, parseJson } from '../../src/core/json.ts';
import { newSolanaKey } from './cheap-key.ts';
import { type Journey, type Meddler, startJourney } from './journey.ts';

/** A journey with a funded Solana key named `saver`. */
export type YieldJourney = Journey & {
  readonly wallet: string;
  /** The position of the saver with a provider, from the service. */
  readonly position: (provider: string, asset?: string) => Promise<string>;
  /** The balance of the saver's wallet, from the chain. */
  readonly held: (asset: string) => Promise<string>;
};

/** Starts a yield journey. Call `end` after the tests. */
export const startYieldJourney = async (run?: Parameters<typeof startJourney>[0]): Promise<YieldJourney> => {
  const journey = await startJourney(run);
  const { address: wallet } = await newSolanaKey(journey.home, 'saver');
  await journey.ask('POST', '/_sandbox/fund', { address: wallet, chain: 'solana' });
  return {
    ...journey,
    wallet,
    position: async (provider, asset = 'USDC') => {
      const query = ['--key', 'saver', '--asset', asset, '--provider', provider, '--chain-name', 'solana'];
      const { stdout } = await journey.bursar(['yield', 'earnings', ...query, '--json']);
      const { earnings } = parseJson(stdout) as { earnings: { position_on_protocol: unknown }[] };
      return digitsOf(earnings[0]?.position_on_protocol) ?? '';
    },
    held: async (asset) => {
      const rpc = await journey.json(['sandbox', 'chain', 'solana']);
      const params = [
        wallet,
        { mint: (await import('../../src/contract/chains.ts')).SANDBOX_SOLANA.mints[asset as 'USDC'] },
        { encoding: 'base64' },
      ];
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTokenAccountsByOwner', params });
      const answer = await fetch(String(rpc.data['rpc_url']), { method: 'POST', body });
      const { result } = (await answer.json()) as { result: { value: { account: { data: [string] } }[] } };
      const account = Buffer.from(result.value[0]?.account.data[0] ?? '', 'base64');
      return String(Number(account.readBigUInt64LE(64)) / 1_000_000);
    },
  };
};

/** The command line of an operation of the saver. */
export const asked = (operation: string, asset = 'USDC', amount = '10'): readonly string[] => {
  const legs =
    operation === 'rebalance'
      ? ['--provider-out', 'provider_a', '--provider-in', 'provider_b']
      : ['--provider', 'provider_a'];
  return [
    'yield',
    operation,
    '--chain-name',
    'solana',
    '--asset',
    asset,
    '--amount',
    amount,
    '--key',
    'saver',
    ...legs,
  ];
};

export const isBroadcast = (path: string): boolean => path === '/yield/broadcast';

export const isBuilding = (path: string): boolean => /^\/yield\/(?:deposit|withdraw|rebalance)$/.test(path);

/** Changes the data of the transactions that the service builds. Adds each called path to `seen`. */
export const tampering =
  (change: (data: Record<string, unknown>) => Record<string, unknown>, seen: string[]): Meddler =>
  async ({ path }, forward) => {
    seen.push(path);
    const answer = await forward();
    if (!isBuilding(path)) return answer;
    const body = JSON.parse(answer.body);
    if (body.success) body.data = change(body.data);
    return { status: answer.status, body: JSON.stringify(body) };
  };

/** Removes the record of the newest signature, as if another machine had made it. */
export const forgetSignature = async (journey: Pick<YieldJourney, 'json'>): Promise<void> => {
  const [signature] = (await journey.json(['yield', 'list', '--limit', '1'])).data as unknown as { movement: string }[];
  const { code } = await journey.json(['yield', 'forget', String(signature?.movement), '--yes']);
  if (code !== 0) throw new Error(`the signature was not forgotten: ${code}`);
};

/** States the yield of each provider, in percent a year. */
export const yielding =
  (rates: Readonly<Record<string, number>>): Meddler =>
  async ({ path }, forward) => {
    const answer = await forward();
    if (!path.startsWith('/yield/strategies')) return answer;
    const body = JSON.parse(answer.body);
    for (const each of body.data.strategies) {
      each.apy.total_with_rewards = { percent: rates[each.provider], annualized: 0 };
    }
    return { status: answer.status, body: JSON.stringify(body) };
  };
