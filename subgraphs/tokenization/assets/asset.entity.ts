import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AssetStatus, AssetType } from './asset.js';

/** A credit right. Money and rates are text, with exactly the digits that PostgreSQL stores. */
@Entity({ schema: 'tokenization', name: 'assets' })
export class AssetRow {
  @PrimaryColumn('uuid')
  id!: string;

  /** Number of the transaction that registered it, in commit order; 0 for assets from before registrations were numbered. */
  @Column('bigint')
  registration!: string;

  @Column('uuid', { name: 'patrimony_id' })
  patrimonyId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  /** The originator that assigned it; null if an import created it. */
  @Column('uuid', { name: 'originator_id', nullable: true })
  originatorId!: string | null;

  @Column('text')
  type!: AssetType;

  @Column('text')
  status!: AssetStatus;

  @Column('text', { name: 'debtor_name' })
  debtorName!: string;

  @Column('text', { name: 'debtor_document' })
  debtorDocument!: string;

  @Column('numeric', { name: 'original_value' })
  originalValue!: string;

  @Column('numeric', { name: 'current_balance' })
  currentBalance!: string;

  @Column('numeric')
  received!: string;

  @Column('numeric', { name: 'interest_rate' })
  interestRate!: string;

  @Column('integer')
  installments!: number;

  @Column('integer', { name: 'paid_installments' })
  paidInstallments!: number;

  @Column('date', { name: 'next_due_date', nullable: true })
  nextDueDate!: string | null;

  @Column('date', { name: 'final_due_date' })
  finalDueDate!: string;

  @Column('uuid', { name: 'batch_id', nullable: true })
  batchId!: string | null;

  @Column('text', { name: 'batch_name', nullable: true })
  batchName!: string | null;

  @Column('text', { name: 'search_text' })
  searchText!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
