/** Examples that run until they are interrupted, or that stop the shared sandbox. `examples-ending.full.test.ts` runs them. */
export const ENDLESS = /--follow|--foreground|--watch|^sandbox (?:stop|reset)|^webhook listen|^kyc start --key/;
