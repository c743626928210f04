// Offers deliveries at a rate that does not depend on the answers, each on a connection of its own.
//   node offer-load.mjs URL RATE SECONDS [BYTES]
// Prints JSON: the numbers of the deliveries by their answer, and the longest wait for one in milliseconds.
import { request } from 'node:http';
import process from 'node:process';

const [url, rate, seconds, bytes = 500] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const TICK_MS = 10;
const total = rate * seconds;

const result = { offered: 0, answered: [], refused: 0, cut: 0, failed: 0, longest_ms: 0 };
let left = total;

const ended = () => {
  left -= 1;
  if (left === 0) process.stdout.write(JSON.stringify(result));
};

const offer = (n) => {
  result.offered += 1;
  const start = performance.now();
  const body = JSON.stringify({ event: 'load', data: { id: `pay_${n}`, status: 's' }, more: 'x'.repeat(bytes) });
  const call = request(
    url,
    { method: 'POST', agent: false, headers: { 'content-length': body.length } },
    (response) => {
      response.resume().on('end', () => {
        result.longest_ms = Math.max(result.longest_ms, Math.round(performance.now() - start));
        if (response.statusCode === 200) result.answered.push(n);
        else if (response.statusCode === 503) result.refused += 1;
        else if (response.statusCode === 408) result.cut += 1;
        else result.failed += 1;
        ended();
      });
    },
  );
  // On a busy machine more connections wait than the receiver takes, or longer. It ends them, and a sender tries again later.
  call.on('error', ({ code }) => {
    if (code === 'ECONNRESET' || code === 'EPIPE') result.cut += 1;
    else result.failed += 1;
    ended();
  });
  call.end(body);
};

const start = performance.now();
const timer = setInterval(() => {
  const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * rate));
  while (result.offered < due) offer(result.offered);
  if (result.offered === total) clearInterval(timer);
}, TICK_MS);
