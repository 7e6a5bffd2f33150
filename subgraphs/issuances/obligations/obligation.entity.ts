import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Periodicity } from './obligation.js';

/** A delivery that a debtor owes; its status is computed. */
@Entity({ schema: 'issuances', name: 'obligations' })
export class ObligationRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @Column('text', { nullable: true })
  responsible!: string | null;

  @Column('text')
  periodicity!: Periodicity;

  @Column('date', { name: 'due_date' })
  dueDate!: string;

  @Column('integer', { name: 'grace_days' })
  graceDays!: number;

  @Column('date', { name: 'delivered_date', nullable: true })
  deliveredDate!: string | null;

  @Column('date', { name: 'waived_date', nullable: true })
  waivedDate!: string | null;
}
