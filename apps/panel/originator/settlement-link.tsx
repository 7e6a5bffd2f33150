import { Link } from '@tanstack/react-router';
import { decimal, moment, money, plural } from '../frame/language.js';
import { originatorTexts } from './texts.js';

/** Leads to a settlement batch. It has no name of its own: its count and sum tell it from others of the same minute. */
export function SettlementLink(props: {
  readonly batch: {
    readonly id: string;
    readonly createdAt: string;
    readonly settlementCount: number;
    readonly totalSettledAmount: string;
  };
}) {
  const { id, createdAt, settlementCount: count, totalSettledAmount } = props.batch;
  const { settlements: text } = originatorTexts.get();
  const payments = plural(count, { one: text.count.one, other: text.count.other(decimal(count)) });
  return (
    <Link to="/originador/liquidacoes/$id" params={{ id }}>
      {text.name(moment(createdAt))} ({payments}, {money(totalSettledAmount)})
    </Link>
  );
}
