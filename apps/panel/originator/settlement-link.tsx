import { Link } from '@tanstack/react-router';
import { moment, money, plural } from '../frame/language.js';
import { numbered } from './batch-parts.js';
import { originatorTexts } from './texts.js';

/** Leads to a settlement batch, by its number. */
export function SettlementLink(props: {
  readonly batch: {
    readonly id: string;
    readonly number: number;
    readonly createdAt: string;
    readonly settlementCount: number;
    readonly totalSettledAmount: string;
  };
}) {
  const { id, number, createdAt, settlementCount: count, totalSettledAmount } = props.batch;
  const { settlements: text } = originatorTexts.get();
  const payments = plural(count, text.count);
  return (
    <Link to="/originador/liquidacoes/$id" params={{ id }}>
      {numbered(number)}: {text.name(moment(createdAt))} ({payments}, {money(totalSettledAmount)})
    </Link>
  );
}
