import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OperationType } from './operation.js';

/** A securitization operation. The migrations describe the columns, as for every table of this domain. */
@Entity({ schema: 'issuances', name: 'operations' })
export class OperationRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  ticker!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  type!: OperationType;

  @Column('boolean', { name: 'is_public' })
  isPublic!: boolean;

  @Column('text')
  status!: string;

  @Column('text')
  name!: string;

  @Column('text')
  sub!: string;

  @Column('text')
  href!: string;

  @Column('text', { array: true })
  chips!: string[];

  @Column('text', { name: 'emission_number', nullable: true })
  emissionNumber!: string | null;

  @Column('date', { name: 'emission_date', nullable: true })
  emissionDate!: string | null;

  @Column('date', { name: 'maturity_date', nullable: true })
  maturityDate!: string | null;

  @Column('text', { nullable: true })
  issuer!: string | null;

  @Column('text', { name: 'issuer_cnpj', nullable: true })
  issuerCnpj!: string | null;

  @Column('text', { nullable: true })
  trustee!: string | null;

  @Column('text', { name: 'lead_coordinator', nullable: true })
  leadCoordinator!: string | null;

  @Column('text', { nullable: true })
  bookkeeper!: string | null;

  @Column('text', { nullable: true })
  auditor!: string | null;

  @Column('text', { name: 'backing_asset', nullable: true })
  backingAsset!: string | null;

  @Column('text', { nullable: true })
  rating!: string | null;

  @Column('text', { name: 'summary_description', nullable: true })
  summaryDescription!: string | null;

  @Column('text', { name: 'summary_segment', nullable: true })
  summarySegment!: string | null;

  @Column('text', { name: 'summary_use_of_proceeds', nullable: true })
  summaryUseOfProceeds!: string | null;

  @Column('text', { name: 'summary_offering', nullable: true })
  summaryOffering!: string | null;

  @Column('text', { name: 'summary_highlights', array: true })
  summaryHighlights!: string[];

  /** Used in searches only, never selected. */
  @Column('text', { name: 'search_text', select: false })
  searchText?: string;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
