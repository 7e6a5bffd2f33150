import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API key of an account. The key itself is shown once and not stored. */
@Entity({ schema: 'accounts', name: 'api_keys' })
export class ApiKeyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  /** `svcpub_<prefix>`, unique. */
  @Column('text')
  prefix!: string;

  /** SHA-256 of the whole key. */
  @Column('bytea', { name: 'secret_hash', select: false })
  secretHash!: Buffer;

  @Column('text')
  name!: string;

  /** Requests per minute set by an operator; null to use the configuration. */
  @Column('integer', { name: 'rate_limit', nullable: true })
  rateLimit!: number | null;

  /** Number of requests so far, as text: the column is a bigint. */
  @Column('bigint', { name: 'request_count', default: 0 })
  requestCount!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** The key that a rotation created in its place; null unless it was rotated. */
  @Column('uuid', { name: 'replaced_by', nullable: true })
  replacedBy!: string | null;
}
