import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document of an operation; callers see only those with `isPublic`. */
@Entity({ schema: 'issuances', name: 'documents' })
export class DocumentRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('boolean', { name: 'is_public' })
  isPublic!: boolean;

  @Column('text', { nullable: true })
  name!: string | null;

  @Column('text', { nullable: true })
  type!: string | null;

  @Column('text', { nullable: true })
  url!: string | null;

  @Column('date', { name: 'reference_date', nullable: true })
  referenceDate!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
