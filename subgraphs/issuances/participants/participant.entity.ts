import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A company that takes part in an operation. */
@Entity({ schema: 'issuances', name: 'participants' })
export class ParticipantRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text')
  name!: string;

  @Column('integer')
  position!: number;

  @Column('text', { name: 'logo_url', nullable: true })
  logoUrl!: string | null;

  @Column('text', { array: true })
  functions!: string[];
}
