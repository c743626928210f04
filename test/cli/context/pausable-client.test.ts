import { describe, expect, it } from 'vitest';
import { withPauses } from '../../../src/client/call.ts';
import { patientClient } from '../../client/client.ts';

describe('the deadline of a command with tasks of the user', () => {
  it('is extended by the time of a task', async () => {
    const { client } = await patientClient('http://127.0.0.1:9', 5000);
    const { clock } = client.io;
    const time = withPauses(client);
    const before = time.client.deadline;
    await time.pauseWhile(() => clock.sleep(60_000));
    expect(time.client.deadline - before).toBeCloseTo(60_000, -2);
    expect(time.client.deadline - clock.monotonic()).toBeGreaterThan(4000);
  });

  it('is not extended twice by the time of a question', async () => {
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

  it('is extended also when the task ends with an error', async () => {
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

  it('is not extended by the time between tasks', async () => {
    const { client } = await patientClient('http://127.0.0.1:9', 5000);
    const time = withPauses(client);
    const left = time.client.deadline;
    await client.io.clock.sleep(1000);
    expect(time.client.deadline).toBe(left);
  });
});
