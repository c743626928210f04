/**
 * Deploys the contracts and mints. An address that was written down, not derived: nobody has its key, and only
 * a node that is told to impersonate it sends for it. With its first nonces it gives the contracts' addresses.
 */
export const DEPLOYER = '0x5A4Db0C5000000000000000000000000000b0a5a';
