import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InterestEvent } from '../unit-price/policy.js';
import type { ScheduleStatus } from './schedule.js';

/** An instalment of a series. */
@Entity({ schema: 'tokenization', name: 'schedule_entries' })
export class ScheduleEntryRow {
  @PrimaryColumn('uuid', { name: 'tranche_id' })
  trancheId!: string;

  @PrimaryColumn('integer', { name: 'installment_number' })
  installmentNumber!: number;

  @Column('date', { name: 'calculation_date' })
  calculationDate!: string;

  @Column('date', { name: 'due_date' })
  dueDate!: string;

  @Column('text', { name: 'interest_event' })
  interestEvent!: InterestEvent;

  @Column('numeric', { name: 'amortization_percentage' })
  amortizationPercentage!: string;

  @Column('numeric', { name: 'interest_percentage', nullable: true })
  interestPercentage!: string | null;

  @Column('numeric', { name: 'principal_percentage', nullable: true })
  principalPercentage!: string | null;

  @Column('text')
  status!: ScheduleStatus;

  @Column('numeric', { name: 'interest_value', nullable: true })
  interestValue!: string | null;

  @Column('numeric', { name: 'principal_value', nullable: true })
  principalValue!: string | null;

  @Column('numeric', { name: 'total_value', nullable: true })
  totalValue!: string | null;

  @Column('date', { name: 'paid_on', nullable: true })
  paidOn!: string | null;
}
