import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TokenPurpose } from './one-time-token.js';

@Entity({ schema: 'accounts', name: 'one_time_tokens' })
export class OneTimeTokenRow {
  /** SHA-256 of the token; the token itself is only in the mail. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  purpose!: TokenPurpose;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
