import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Indexer } from '../../../shared/format/format.js';
import type { RiskClass } from '../reports/subordination.js';

/** A series of an operation. */
@Entity({ schema: 'issuances', name: 'series' })
export class SeriesRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('integer')
  number!: number;

  @Column('text')
  ticker!: string;

  @Column('text')
  class!: RiskClass;

  @Column('text')
  status!: string;

  @Column('text')
  indexer!: Indexer;

  @Column('numeric', { name: 'indexer_percent' })
  indexerPercent!: string;

  @Column('numeric')
  rate!: string;

  @Column('text', { name: 'remuneration_label', nullable: true })
  remunerationLabel!: string | null;

  @Column('date', { name: 'issue_date' })
  issueDate!: string;

  @Column('date', { name: 'maturity_date' })
  maturityDate!: string;

  @Column('text', { nullable: true })
  isin!: string | null;

  @Column('text', { name: 'if_code', nullable: true })
  ifCode!: string | null;

  @Column('numeric', { name: 'unit_value' })
  unitValue!: string;

  @Column('numeric')
  quantity!: string;

  @Column('numeric', { name: 'issued_total' })
  issuedTotal!: string;

  @Column('numeric', { name: 'raised_amount', nullable: true })
  raisedAmount!: string | null;

  @Column('numeric', { name: 'subscribed_quotas', nullable: true })
  subscribedQuotas!: string | null;
}
