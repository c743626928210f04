import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanEnv, inTurn, timeOf } from './measure.mjs';

const PROGRAM = fileURLToPath(new URL('../../bin/bursar.js', import.meta.url));
const RUNS = 25;

const ms = (value) => `${Math.round(value)} ms`;

const row = async (what, args, budget, env) => {
  const [own, bare] = await inTurn(
    RUNS,
    () => timeOf(process.execPath, [PROGRAM, ...args], env),
    () => timeOf(process.execPath, ['-e', '0'], env),
  );
  return { what, own: ms(own), other: `node -e 0: ${ms(bare)}`, value: own / bare, budget };
};

const quoteServer = () => {
  const body = JSON.stringify({
    statusCode: 200,
    success: true,
    status: 'quote_ok',
    message: 'direct',
    data: { price: '1' },
  });
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
};

/** A home with as many payments as a busy desk has in a year. */
const fullHome = async (home) => {
  const folder = join(home, 'full', 'state', 'journal');
  await mkdir(folder, { recursive: true });
  for (let at = 0; at < 3000; at += 1) {
    const path = join(folder, `20260101T${String(at).padStart(6, '0')}Z-0123abcd.ndjson`);
    await writeFile(path, `${JSON.stringify({ v: 1, step: 'begun', payment_id: `pay_${at}` })}\n`);
  }
  return join(home, 'full');
};

/** Starting the program, against starting Node alone. */
export const benchStartUp = async (home) => {
  const server = await quoteServer();
  const env = cleanEnv({
    BURSAR_HOME: home,
    BURSAR_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    BURSAR_API_KEY: 'bench',
  });
  try {
    return [
      await row('bursar --version', ['--version'], 1.25, env),
      await row('bursar --help', ['--help'], 1.6, env),
      // 150 ms where Node alone takes 60.
      await row('Tab: an id of 3000 payments', ['completion', '--values', 'movements'], 2.5, {
        ...env,
        BURSAR_HOME: await fullHome(home),
      }),
      await row('bursar quote BTC USDT', ['quote', 'BTC', 'USDT'], 2.5, env),
    ];
  } finally {
    server.close();
  }
};
