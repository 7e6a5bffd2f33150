import { useState } from 'react';
import { Badge, noted, TableSection } from '../../design/basics.js';
import { Checks, TextInput } from '../../design/controls/controls.js';
import { SecretsDialog } from '../frame/secrets.js';
import { ActButton, ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { date, moment, wordOf } from '../frame/language.js';
import { textOf, textsOf } from '../frame/parts.js';
import { serverNow } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { operatorTexts } from '../texts.js';
import type { Company, CompanyPart } from './company-fields.js';
import { graph } from './graph/operations.js';

type Credential = Company['credentials'][number];

const scopes = ['read', 'trade', 'withdraw'] as const;

export function CompanyCredentials({ company, mayAct, onDone }: CompanyPart) {
  const { companies: text, words } = operatorTexts.get();
  return (
    <TableSection
      id="credentials"
      title={text.credentials}
      rows={company.credentials}
      empty={text.noCredentials}
      columns={[
        { label: words.publicKey, kind: 'wide', cell: ({ apiKey }) => <code>{apiKey}</code> },
        {
          label: text.scopes,
          kind: 'nowrap',
          cell: (one) => one.scopes.map((scope) => wordOf(text.scopeTexts, scope)).join(', '),
        },
        { label: text.networks, cell: ({ allowedNetworks }) => allowedNetworks?.join(', ') ?? text.anywhere },
        { label: text.lastUsed, kind: 'nowrap', cell: ({ lastUsedAt }) => moment(lastUsedAt) },
        {
          label: words.status,
          kind: 'nowrap',
          cell: (one) => <CredentialState credential={one} />,
        },
        {
          label: words.acts,
          cell: (credential) =>
            mayAct && credential.revokedAt === null ? <CredentialActs credential={credential} onDone={onDone} /> : null,
        },
      ]}
    >
      {mayAct ? (
        <div className="row">
          <DialogButton act={text.addCredential}>
            {({ onClose }) => (
              <AddCredential companyId={company.id} onClose={onClose} onDone={() => onDone(text.credentialAdded)} />
            )}
          </DialogButton>
        </div>
      ) : null}
    </TableSection>
  );
}

function CredentialState({ credential: { revokedAt, expiresAt } }: { readonly credential: Credential }) {
  const { companies: text, words } = operatorTexts.get();
  if (revokedAt !== null) return <Badge>{text.revoked(date(revokedAt))}</Badge>;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= serverNow();
  if (isOver) return <Badge>{text.expired(moment(expiresAt))}</Badge>;
  return noted(<Badge tone="good">{words.valid}</Badge>, expiresAt === null ? null : text.until(moment(expiresAt)));
}

function CredentialActs(props: Pick<CompanyPart, 'onDone'> & { readonly credential: Credential }) {
  const { credential, onDone } = props;
  const { id, apiKey } = credential;
  const { companies: text, words } = operatorTexts.get();
  const name = (
    <p>
      <code>{apiKey}</code>
    </p>
  );
  return (
    <span className="row">
      <ActButton
        label={`${words.change} ${apiKey}`}
        title={text.changeCredential}
        opens={words.change}
        act={words.save}
        fields={credentialFields}
        run={(values) => graph.mutate('changeTradingCredential', { id, ...permissionsIn(values) })}
        onDone={() => onDone(text.credentialChanged)}
      >
        {name}
        <Permissions of={credential} />
      </ActButton>
      <ActButton
        label={`${words.revoke} ${apiKey}`}
        title={text.revokeTitle}
        act={words.revoke}
        kind="danger"
        text={text.revokeText}
        run={() => graph.mutate('revokeTradingCredential', { id })}
        onDone={() => onDone(text.credentialRevoked)}
      >
        {name}
      </ActButton>
    </span>
  );
}

function Permissions({ of }: { readonly of: Pick<Credential, 'scopes' | 'allowedNetworks'> }) {
  const { companies: text } = operatorTexts.get();
  return (
    <>
      <Checks
        name="scopes"
        label={text.scopes}
        defaultValue={of.scopes}
        required={frameTexts.get().chooseOne}
        options={scopes.map((value) => ({ value, text: text.scopeTexts[value], hint: <code>{value}</code> }))}
      />
      <TextInput
        name="allowedNetworks"
        label={text.networks}
        hint={text.networksHint}
        defaultValue={of.allowedNetworks?.join('\n') ?? ''}
        rows={2}
      />
    </>
  );
}

function permissionsIn(values: FormData) {
  const networks = textOf(values, 'allowedNetworks')
    .split(/[\s,;]+/)
    .filter((line) => line !== '');
  return { scopes: textsOf(values, 'scopes'), allowedNetworks: networks.length === 0 ? null : networks };
}

const credentialFields = ['scopes', 'allowedNetworks', 'expiresAt'];

function AddCredential({ companyId, onClose, onDone }: Ending & { readonly companyId: string }) {
  const { companies: text, words } = operatorTexts.get();
  const [added, setAdded] = useState<{ readonly apiKey: string; readonly secretKey: string }>();
  if (added !== undefined)
    return (
      <SecretsDialog
        title={text.addedTitle}
        text={text.addedText}
        secrets={[
          [words.publicKey, added.apiKey],
          [words.secret, added.secretKey],
        ]}
        done={text.handedOver}
        onClose={onClose}
      />
    );
  return (
    <ActDialog
      act={text.addCredential}
      fields={credentialFields}
      onClose={onClose}
      run={async (values) => {
        const ends = textOf(values, 'expiresAt');
        const { addTradingCredential: made } = await graph.mutate('addTradingCredential', {
          companyId,
          ...permissionsIn(values),
          expiresAt: ends === '' ? null : new Date(ends).toISOString(),
        });
        if (made !== null) setAdded(made);
      }}
      onDone={onDone}
    >
      <p>{text.addCredentialText}</p>
      <Permissions of={{ scopes: ['read', 'trade'], allowedNetworks: null }} />
      <TextInput name="expiresAt" type="datetime-local" label={text.expiresAt} hint={text.expiresAtHint} />
    </ActDialog>
  );
}
