import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A bank account of an operation. */
@Entity({ schema: 'issuances', name: 'operation_accounts' })
export class OperationAccountRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('text')
  purpose!: string;

  @Column('text')
  bank!: string;

  @Column('text', { nullable: true })
  branch!: string | null;

  @Column('text', { name: 'account_number', nullable: true })
  accountNumber!: string | null;

  @Column('numeric', { nullable: true })
  balance!: string | null;

  @Column('numeric', { name: 'minimum_balance', nullable: true })
  minimumBalance!: string | null;

  @Column('date', { name: 'balance_date', nullable: true })
  balanceDate!: string | null;
}
