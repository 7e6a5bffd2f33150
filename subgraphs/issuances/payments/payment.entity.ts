import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A payment to the holders; its status is computed. */
@Entity({ schema: 'issuances', name: 'payments' })
export class PaymentRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('uuid', { name: 'series_id', nullable: true })
  seriesId!: string | null;

  @Column('integer', { name: 'installment_number' })
  installmentNumber!: number;

  @Column('text')
  event!: string;

  @Column('date', { name: 'due_date' })
  dueDate!: string;

  @Column('date', { name: 'paid_date', nullable: true })
  paidDate!: string | null;

  @Column('numeric', { name: 'interest_value', nullable: true })
  interestValue!: string | null;

  @Column('numeric', { name: 'principal_value', nullable: true })
  principalValue!: string | null;

  @Column('numeric', { name: 'total_value', nullable: true })
  totalValue!: string | null;
}
