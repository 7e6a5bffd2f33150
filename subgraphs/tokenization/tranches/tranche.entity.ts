import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DayCount } from '../unit-price/day-count.js';
import type { IndexBase, IndexProRata } from '../unit-price/index-bases.js';
import type { IndexerName, TrancheClass, TrancheStatus } from './tranche.js';

/** A series. Quantities, money and rates are text, with exactly the digits that PostgreSQL stores. */
@Entity({ schema: 'tokenization', name: 'tranches' })
export class TrancheRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'patrimony_id' })
  patrimonyId!: string;

  @Column('text')
  ticker!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: TrancheStatus;

  @Column('text', { name: 'class_name' })
  className!: TrancheClass;

  @Column('bigint', { name: 'token_quantity' })
  tokenQuantity!: string;

  @Column('numeric', { name: 'invested_amount' })
  investedAmount!: string;

  @Column('date', { name: 'remuneration_start_date' })
  remunerationStartDate!: string;

  @Column('numeric', { name: 'issue_value' })
  issueValue!: string;

  @Column('text', { name: 'day_count' })
  dayCount!: DayCount;

  @Column('numeric')
  rate!: string;

  @Column('text')
  indexer!: IndexerName;

  @Column('numeric', { name: 'di_percentage', nullable: true })
  diPercentage!: string | null;

  @Column('smallint', { name: 'di_lag_business_days', nullable: true })
  diLagBusinessDays!: number | null;

  @Column('smallint', { name: 'index_lag_months', nullable: true })
  indexLagMonths!: number | null;

  @Column('smallint', { name: 'index_anniversary_day', nullable: true })
  indexAnniversaryDay!: number | null;

  @Column('text', { name: 'index_pro_rata', nullable: true })
  indexProRata!: IndexProRata | null;

  @Column('text', { name: 'index_base', nullable: true })
  indexBase!: IndexBase | null;

  @Column('text', { name: 'amortization_of' })
  amortizationOf!: 'BALANCE' | 'ISSUE_VALUE';

  @Column('integer', { name: 'policy_version' })
  policyVersion!: number;

  @Column('date', { name: 'priced_on', nullable: true })
  pricedOn!: string | null;

  @Column('numeric', { name: 'unit_price', nullable: true })
  unitPrice!: string | null;

  @Column('numeric', { name: 'nominal_value', nullable: true })
  nominalValue!: string | null;

  @Column('numeric', { nullable: true })
  interest!: string | null;

  @Column('text', { name: 'missing_input', nullable: true })
  missingInput!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
