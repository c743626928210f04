import { describe, expect, it } from 'vitest';
import { nextStep } from '../../src/core/next.ts';
import { waitForApproval } from '../../src/flows/kyc/status.ts';
import { patientClient } from '../client/client.ts';
import { envelope, startServer } from '../support/server.ts';

/** The pauses between the status reads of a user who is approved at the tenth read. */
const pausesOf = async (kind: 'sandbox' | 'live') => {
  let reads = 0;
  const { url } = await startServer((request, response) => {
    reads += 1;
    const data = { status: reads < 10 ? 'pending' : 'approved', approved: reads >= 10 };
    return envelope(200, 'kyc_status_retrieved', { data })(request, response);
  });
  const { client, paused } = await patientClient(url, 600_000);
  const step = nextStep('kyc.status.wait', ['--email', 'a@example.com']);
  const states: string[] = [];
  await waitForApproval(
    { ...client, service: { ...client.service, kind } },
    { email: 'a@example.com' },
    { afterEnd: step, later: step, onState: ({ status }) => void states.push(status) },
  );
  return { paused, states };
};

describe('the wait for the approval of a user', () => {
  it('reads the sandbox every second, and reports each state once', async () => {
    const { paused, states } = await pausesOf('sandbox');
    expect(paused).toHaveLength(9);
    // The test's client draws the middle of the jitter for each pause.
    for (const pause of paused) expect(pause).toBeLessThanOrEqual(1000 / 1.25);
    expect(states).toEqual(['pending', 'approved']);
  });

  it('reads a live service at growing intervals, up to ten seconds', async () => {
    const { paused } = await pausesOf('live');
    expect(paused).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
  });
});
