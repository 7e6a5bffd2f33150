import { z } from 'zod';

const whole = z.string().regex(/^\d{1,30}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const instant = z.iso.datetime();

/** What is announced as `tranche.chain_updated`: a contract as its chain has it, and what happened to it last. */
export const chainNewsForm = z.object({
  trancheTicker: z.string(),
  /** Grows with every change: of two announcements the one with the greater number is right. */
  revision: z.number().int(),
  contract: z.object({
    chainId: z.number().int(),
    network: z.string(),
    address,
    standard: z.string(),
    name: z.string(),
    symbol: z.string(),
    tokenQuantity: whole,
    totalSupply: whole,
    deployedAt: instant,
    explorerUrl: z.string().nullable(),
  }),
  /** From this block on the events are all that happened to its tokens. */
  fromBlock: z.number().int(),
  events: z.array(
    z.object({
      transactionHash: z.string().regex(/^0x[0-9a-f]{64}$/),
      logIndex: z.number().int(),
      blockNumber: z.number().int(),
      type: z.string(),
      from: address,
      to: address,
      tokenQuantity: whole,
      occurredAt: instant,
    }),
  ),
});

export type ChainNews = z.output<typeof chainNewsForm>;

/** The newest announcement of each contract. */
export function newest(news: readonly ChainNews[]): ChainNews[] {
  const byAddress = new Map<string, ChainNews>();
  for (const one of news) {
    const key = `${one.contract.chainId} ${one.contract.address.toLowerCase()}`;
    const known = byAddress.get(key);
    if (known === undefined || known.revision < one.revision) byAddress.set(key, one);
  }
  return [...byAddress.values()];
}
