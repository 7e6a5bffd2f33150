import { useState } from 'react';
import { Badge, Section } from '../../design/basics.js';
import { Button } from '../../design/controls/button.js';
import { Dialog } from '../../design/controls/dialog.js';
import { Checks, TextInput } from '../../design/controls/fields.js';
import { Secret } from '../../design/controls/secret.js';
import { Table } from '../../design/table.js';
import { ActDialog, DialogButton, type Ending } from '../frame/ask.js';
import { date, moment } from '../frame/language.js';
import { textOf } from '../frame/parts.js';
import { frameTexts } from '../frame/texts.js';
import { networksOf, type Company, type CompanyPart } from './company-fields.js';
import { graph } from './graph.js';
import { operatorTexts } from './texts.js';

type Credential = Company['credentials'][number];

const scopes = ['read', 'trade', 'withdraw'] as const;

/** The credentials with which programs of a company log in. */
export function CompanyCredentials({ company, mayAct, onDone }: CompanyPart) {
  const { companies: text } = operatorTexts.get();
  return (
    <Section id="credentials" title={text.credentials}>
      {mayAct ? (
        <div className="row">
          <DialogButton act={text.addCredential}>
            {({ onClose }) => (
              <AddCredential companyId={company.id} onClose={onClose} onDone={() => onDone(text.credentialAdded)} />
            )}
          </DialogButton>
        </div>
      ) : null}
      <Table
        caption={text.credentials}
        rows={company.credentials}
        keyOf={({ id }) => id}
        empty={text.noCredentials}
        columns={[
          { label: text.apiKey, kind: 'wide', cell: ({ apiKey }) => <code>{apiKey}</code> },
          { label: text.scopes, kind: 'nowrap', cell: (one) => one.scopes.join(', ') },
          { label: text.networks, cell: ({ allowedNetworks }) => allowedNetworks?.join(', ') ?? text.anywhere },
          { label: text.lastUsed, kind: 'nowrap', cell: ({ lastUsedAt }) => moment(lastUsedAt) },
          {
            label: text.status,
            kind: 'nowrap',
            cell: (one) => <CredentialState credential={one} />,
          },
          {
            label: text.acts,
            cell: (credential) =>
              mayAct && credential.revokedAt === null ? (
                <CredentialActs credential={credential} onDone={onDone} />
              ) : null,
          },
        ]}
      />
    </Section>
  );
}

function CredentialState({ credential: { revokedAt, expiresAt } }: { readonly credential: Credential }) {
  const { companies: text } = operatorTexts.get();
  if (revokedAt !== null) return <Badge>{text.revoked(date(revokedAt))}</Badge>;
  const isOver = expiresAt !== null && new Date(expiresAt).getTime() <= Date.now();
  if (isOver) return <Badge>{text.expired(moment(expiresAt))}</Badge>;
  return (
    <>
      <Badge tone="good">{text.valid}</Badge>
      {expiresAt === null ? null : <span className="sub">{text.until(moment(expiresAt))}</span>}
    </>
  );
}

function CredentialActs(props: Pick<CompanyPart, 'onDone'> & { readonly credential: Credential }) {
  const { credential, onDone } = props;
  const { companies: text } = operatorTexts.get();
  return (
    <span className="row">
      <DialogButton
        label={`${text.change} ${credential.apiKey}`}
        act={text.change}
        onDone={() => onDone(text.credentialChanged)}
      >
        {(ending) => <ChangeCredential credential={credential} {...ending} />}
      </DialogButton>
      <DialogButton
        label={`${text.revoke} ${credential.apiKey}`}
        act={text.revoke}
        onDone={() => onDone(text.credentialRevoked)}
      >
        {(ending) => (
          <ActDialog
            title={text.revokeTitle}
            act={text.revoke}
            kind="danger"
            run={() => graph.mutate('revokeTradingCredential', { id: credential.id })}
            {...ending}
          >
            <p>
              <code>{credential.apiKey}</code>
            </p>
            <p>{text.revokeText}</p>
          </ActDialog>
        )}
      </DialogButton>
    </span>
  );
}

function Permissions(props: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  readonly networks: string;
}) {
  const { companies: text } = operatorTexts.get();
  return (
    <>
      <Checks
        name="scopes"
        label={text.scopes}
        value={props.chosen}
        onChange={props.onChange}
        required={frameTexts.get().chooseOne}
        options={scopes.map((value) => ({ value, text: text.scopeTexts[value], hint: <code>{value}</code> }))}
      />
      <TextInput
        name="allowedNetworks"
        label={text.networks}
        hint={text.networksHint}
        defaultValue={props.networks}
        rows={2}
      />
    </>
  );
}

const credentialFields = ['scopes', 'allowedNetworks', 'expiresAt'];

/** Adds a credential, and shows its secret once. */
function AddCredential({ companyId, onClose, onDone }: Ending & { readonly companyId: string }) {
  const { companies: text } = operatorTexts.get();
  const { copy, copied, notCopied } = frameTexts.get();
  const [chosen, setChosen] = useState<readonly string[]>(['read', 'trade']);
  const [added, setAdded] = useState<{ readonly apiKey: string; readonly secretKey: string }>();
  if (added !== undefined)
    return (
      <Dialog title={text.addedTitle} isOpen isFirm onClose={onClose}>
        <p className="notice">{text.addedText}</p>
        <Secret label={text.apiKey} value={added.apiKey} copy={copy} copied={copied} failed={notCopied} />
        <Secret label={text.secretKey} value={added.secretKey} copy={copy} copied={copied} failed={notCopied} />
        <div className="acts">
          <Button kind="main" onPress={onClose}>
            {text.handedOver}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <ActDialog
      title={text.addCredential}
      act={text.addCredential}
      fields={credentialFields}
      onClose={onClose}
      run={async (values) => {
        const ends = textOf(values, 'expiresAt');
        const { addTradingCredential: made } = await graph.mutate('addTradingCredential', {
          companyId,
          scopes: chosen,
          allowedNetworks: networksOf(textOf(values, 'allowedNetworks')),
          expiresAt: ends === '' ? null : new Date(ends).toISOString(),
        });
        if (made !== null) setAdded(made);
      }}
      onDone={onDone}
    >
      <p>{text.addCredentialText}</p>
      <Permissions chosen={chosen} onChange={setChosen} networks="" />
      <TextInput name="expiresAt" type="datetime-local" label={text.expiresAt} hint={text.expiresAtHint} />
    </ActDialog>
  );
}

function ChangeCredential({ credential, ...ending }: Ending & { readonly credential: Credential }) {
  const { companies: text } = operatorTexts.get();
  const [chosen, setChosen] = useState<readonly string[]>(credential.scopes);
  return (
    <ActDialog
      title={text.changeCredential}
      act={text.save}
      fields={credentialFields}
      run={(values) =>
        graph.mutate('changeTradingCredential', {
          id: credential.id,
          scopes: chosen,
          allowedNetworks: networksOf(textOf(values, 'allowedNetworks')),
        })
      }
      {...ending}
    >
      <p>
        <code>{credential.apiKey}</code>
      </p>
      <Permissions chosen={chosen} onChange={setChosen} networks={credential.allowedNetworks?.join('\n') ?? ''} />
    </ActDialog>
  );
}
