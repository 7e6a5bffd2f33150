import { z } from 'zod';

const whole = z.string().regex(/^\d{1,30}$/);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
const instant = z.iso.datetime();

/** Payload of `tranche.chain_updated`: a contract as stored on its chain, with its last events. */
export const chainNewsForm = z.object({
  trancheTicker: z.string(),
  /** Grows with every change: of two announcements the one with the greater number is current. */
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
  /** The events are complete from this block on. */
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

export function newest(news: readonly ChainNews[]): ChainNews[] {
  const byAddress = new Map<string, ChainNews>();
  for (const one of news) {
    const key = `${one.contract.chainId} ${one.contract.address.toLowerCase()}`;
    const known = byAddress.get(key);
    if (known === undefined || known.revision < one.revision) byAddress.set(key, one);
  }
  return [...byAddress.values()];
}
