/** undici's client alone, the very one of its public entry: docs/decisions has what the whole package costs. */
declare module 'undici/lib/dispatcher/client.js' {
  export { Client as default } from 'undici';
}
