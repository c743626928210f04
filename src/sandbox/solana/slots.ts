import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { BLOCKHASH_SLOTS, FIRST_SLOT, SLOT_MS } from '../assumptions.ts';
import type { SandboxClock } from '../clock.ts';

/** Slots and blockhashes of a chain. Both follow from the clock and the chain's beginning, so neither is kept. */
export type Slots = {
  /** The slot of now; it is the block height as well, since no slot is skipped. Never goes back. */
  readonly now: () => number;
  readonly blockhashOf: (slot: number) => string;
  /** When a slot began, in milliseconds since 1970 by the sandbox's clock. */
  readonly timeOf: (slot: number) => number;
  /** The slot of a blockhash with which a transaction may still be sent. */
  readonly recentSlotOf: (blockhash: string) => number | undefined;
};

/** The slots of a chain that began at `genesisMs`; `reached` is the latest slot that it is known to have had. */
export const openSlots = (clock: SandboxClock, genesisMs: number, reached: number): Slots => {
  let latest = reached;
  const now = () => {
    latest = Math.max(latest, FIRST_SLOT + Math.floor((clock.now() - genesisMs) / SLOT_MS));
    return latest;
  };
  const blockhashOf = (slot: number) =>
    bs58.encode(createHash('sha256').update(`sandbox of bursar, Solana from ${genesisMs}: slot ${slot}`).digest());
  const recent = new Map<string, number>();
  let filledTo = 0;
  const recentSlotOf = (blockhash: string) => {
    const last = now();
    const first = last - BLOCKHASH_SLOTS;
    for (let slot = Math.max(first, filledTo + 1); slot <= last; slot += 1) recent.set(blockhashOf(slot), slot);
    filledTo = last;
    for (const [hash, slot] of recent) {
      if (slot >= first) break;
      recent.delete(hash);
    }
    return recent.get(blockhash);
  };
  const timeOf = (slot: number) => genesisMs + (slot - FIRST_SLOT) * SLOT_MS;
  return { now, blockhashOf, timeOf, recentSlotOf };
};
