import { parseJson } from '../../src/core/json.ts';

/** Calls a service or its control. Returns the data of a success; throws the status of an error. */
export type Ask = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

/** The address of a sandbox and its keys. */
type SandboxAddress = { readonly url: string; readonly api_key: string; readonly control_key: string };

/** An `Ask` for a sandbox. It sends both keys with each call. */
export const asker =
  ({ url, api_key, control_key }: SandboxAddress): Ask =>
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
