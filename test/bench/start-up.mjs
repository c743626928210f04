import { createServer } from 'node:http';
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
      await row('bursar quote BTC USDT', ['quote', 'BTC', 'USDT'], 2.5, env),
    ];
  } finally {
    server.close();
  }
};
