/** Examples that go on until somebody ends them, or that end the sandbox that the others use: `examples-ending.full.test.ts` runs them. */
export const ENDLESS = /--follow|--foreground|--watch|^sandbox (?:stop|reset)|^webhook listen|^kyc start --key/;
