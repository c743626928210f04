import { describe, expect, it } from 'vitest';
import { withPauses } from '../../../src/client/call.ts';
import { patientClient } from '../../client/client.ts';

describe('the time of a command, while a person is busy', () => {
  it('stands still: who takes long over their documents does not use up the time of the payment', async () => {
    const { client } = await patientClient('http://127.0.0.1:9', 5000);
    const { clock } = client.io;
    const time = withPauses(client);
    const before = time.client.deadline;
    await time.pauseWhile(() => clock.sleep(60_000));
    expect(time.client.deadline - before).toBeCloseTo(60_000, -2);
    expect(time.client.deadline - clock.monotonic()).toBeGreaterThan(4000);
  });

  it('does not count the time of a question twice, for the deadline moves by it in any case', async () => {
    const { client: patient } = await patientClient('http://127.0.0.1:9', 5000);
    let waited = 0;
    const prompt = { ...patient.io.prompt, waitedMs: () => waited };
    const [end, io] = [patient.deadline, { ...patient.io, prompt }];
    const client = {
      ...patient,
      io,
      get deadline() {
        return end + waited;
      },
    };
    const time = withPauses(client);
    await time.pauseWhile(async () => {
      await io.clock.sleep(60_000);
      waited += 40_000;
    });
    expect(time.client.deadline - end).toBeCloseTo(60_000, -2);
  });

  it('stands still also where they end it', async () => {
    const { client } = await patientClient('http://127.0.0.1:9', 5000);
    const time = withPauses(client);
    const left = time.client.deadline;
    const leave = async () => {
      await client.io.clock.sleep(1000);
      throw new Error('no');
    };
    await expect(time.pauseWhile(leave)).rejects.toThrow('no');
    expect(time.client.deadline - left).toBeGreaterThan(900);
  });

  it('goes on for calls: what is not a person counts', async () => {
    const { client } = await patientClient('http://127.0.0.1:9', 5000);
    const time = withPauses(client);
    const left = time.client.deadline;
    await client.io.clock.sleep(1000);
    expect(time.client.deadline).toBe(left);
  });
});
