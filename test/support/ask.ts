import { parseJson } from '../../src/core/json.ts';

/** Asks a service, or its control; gives the data of a good answer, and throws the status of any other. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** Where a sandbox is, and the keys to it. */
type Keys = { readonly url: string; readonly api_key: string; readonly control_key: string };

export const asker =
  ({ url, api_key, control_key }: Keys): Ask =>
  async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': api_key, 'x-control-key': control_key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { success, status, data } = parseJson(await answer.text()) as {
      success: boolean;
      status: string;
      data?: Record<string, unknown>;
    };
    if (!success) throw new Error(`${path}: ${status}`);
    return data ?? {};
  };
