import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CommunicationKind } from './communication.js';

/** A notice or material fact. */
@Entity({ schema: 'issuances', name: 'communications' })
export class CommunicationRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('text')
  kind!: CommunicationKind;

  @Column('date')
  date!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;
}
