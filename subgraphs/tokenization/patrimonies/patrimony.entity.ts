import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PatrimonyStatus } from './patrimony.js';

/** An estate. The migrations describe the columns, as for every table of this domain. */
@Entity({ schema: 'tokenization', name: 'patrimonies' })
export class PatrimonyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  ticker!: string;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  @Column('text')
  status!: PatrimonyStatus;

  @Column('text', { name: 'operation_ticker', nullable: true })
  operationTicker!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
