import { addDays } from '../../../shared/calendar/days.js';
import type { Json, OperationTask } from './task.js';

/** Generates token contracts of an operation and their events. */
export function onchain({ random, project, series, today }: OperationTask): Json[] {
  const zero = `0x${'0'.repeat(40)}`;
  const token = (name: string, ticker: string | null, quantity: number) => {
    const address = `0x${random.hex(40)}`;
    const holder = `0x${random.hex(40)}`;
    const minted = Math.floor((quantity * random.int(60, 95)) / 100);
    const event = (type: string, from: string | null, to: string | null, tokens: number | null, daysAgo: number) => ({
      transactionHash: `0x${random.hex(64)}`,
      logIndex: random.int(0, 300),
      blockNumber: 70_000_000 - daysAgo * 40_000,
      type,
      from,
      to,
      tokenQuantity: tokens,
      occurredAt: `${addDays(today, -daysAgo)}T14:0${random.int(0, 9)}:00Z`,
    });
    return {
      trancheTicker: ticker,
      chainId: 137,
      network: 'Polygon',
      address,
      standard: 'ERC-721A',
      name,
      symbol: project.ticker.replace('-', '').slice(0, 11),
      tokenQuantity: quantity,
      totalSupply: minted,
      deployedAt: `${addDays(today, -500)}T13:00:00Z`,
      explorerUrl: ticker === null ? null : `https://polygonscan.com/address/${address}`,
      events: [
        event('MINT', zero, holder, minted, 499),
        event('TRANSFER', holder, `0x${random.hex(40)}`, Math.floor(minted / 10), 200),
        event('PAYMENT', null, null, null, 35),
      ],
    };
  };
  const [first] = series;
  const tokens = first === undefined ? [] : [token(`${project.name} 1`, first.fields.ticker, 10_000)];
  return series.length > 2 ? [...tokens, token(`${project.name}: documentos`, null, 12)] : tokens;
}
