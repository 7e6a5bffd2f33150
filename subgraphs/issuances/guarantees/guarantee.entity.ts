import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Collateral of an operation. */
@Entity({ schema: 'issuances', name: 'guarantees' })
export class GuaranteeRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('integer')
  position!: number;

  @Column('text')
  type!: string;

  @Column('text')
  description!: string;

  @Column('text')
  status!: string;
}
