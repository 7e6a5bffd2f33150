import { useState } from 'react';
import { Facts, Section } from '../../design/basics.js';
import { Button, SelectInput, TextInput, valueIn } from '../../design/controls/controls.js';
import { ActButton } from '../frame/ask.js';
import { FailureNotice, Form, Loaded, PageHead, textOf } from '../frame/parts.js';
import { saveFile } from '../frame/save-file.js';
import { logOut } from '../frame/session.js';
import { frameTexts } from '../frame/texts.js';
import { accountTexts } from '../texts.js';
import { useAction, useQuery } from '../frame/use-graph.js';
import { graph } from './graph/operations.js';

export function OwnData() {
  const texts = accountTexts.get();
  const { data: text, words } = texts;
  const query = useQuery(graph, 'profile', {});
  return (
    <>
      <PageHead title={text.title} />
      <Loaded query={query}>
        {({ me }) => (
          <>
            <Facts
              items={[
                [texts.email, me.email],
                [words.name, me.name],
                [words.company, me.company],
                [text.origin, text.origins[me.ownerType]],
              ]}
            />
            {me.ownerType === 'EMISSOES_USER' ? <ChangePassword /> : null}
            <MailSettings />
            <Export />
            <Remove />
          </>
        )}
      </Loaded>
    </>
  );
}

function ChangePassword() {
  const { data: text, register } = accountTexts.get();
  const action = useAction();
  const [turn, setTurn] = useState(0);
  return (
    <Section id="password" title={text.change}>
      <div className="limited">
        <Form
          key={turn}
          action={action}
          fields={['currentPassword', 'newPassword']}
          label={text.change}
          onSubmit={(values) => {
            const [currentPassword, newPassword] = [textOf(values, 'currentPassword'), textOf(values, 'newPassword')];
            void action.run(async () => {
              await graph.mutate('changePassword', { currentPassword, newPassword });
              setTurn(turn + 1);
            });
          }}
        >
          <TextInput
            name="currentPassword"
            type="password"
            label={text.current}
            autoComplete="current-password"
            isRequired
          />
          <TextInput
            name="newPassword"
            type="password"
            label={text.next}
            hint={register.passwordHint}
            autoComplete="new-password"
            minLength={8}
            maxLength={128}
            isRequired
          />
          <p>
            <Button kind="main" type="submit" isBusy={action.isBusy}>
              {text.change}
            </Button>
          </p>
        </Form>
        <p role="status" className="note">
          {turn > 0 && action.failure === undefined ? text.changed : ''}
        </p>
      </div>
    </Section>
  );
}

function Export() {
  const { data: text } = accountTexts.get();
  const action = useAction();
  return (
    <Section id="export" title={text.export}>
      <p>{text.exportText}</p>
      <FailureNotice failure={action.failure} />
      <p>
        <Button
          isBusy={action.isBusy}
          onPress={() => {
            void action.run(async () => {
              const { exportMyData, webhooks } = await graph.query('exportMyData', {});
              const held: unknown = JSON.parse(exportMyData);
              saveFile('lastro.json', JSON.stringify({ exportMyData: held, webhooks }, null, 2), 'json');
            });
          }}
        >
          {text.export}
        </Button>
      </p>
    </Section>
  );
}

function Remove() {
  const { password, data: text } = accountTexts.get();
  const run = async (values: FormData) => {
    await graph.mutate('deleteMyAccount', { password: textOf(values, 'password') });
    await logOut();
  };
  return (
    <Section id="remove" title={text.remove}>
      <p>{text.removeText}</p>
      <p>
        <ActButton
          button="danger"
          title={text.removeTitle}
          act={text.remove}
          kind="danger"
          fields={['password']}
          text={text.removeText}
          run={run}
        >
          <TextInput
            name="password"
            type="password"
            label={password}
            autoComplete="current-password"
            isRequired
            autoFocus
          />
        </ActButton>
      </p>
    </Section>
  );
}

function MailSettings() {
  const { mails: text } = accountTexts.get();
  const query = useQuery(graph, 'mailSettings', {});
  const action = useAction();
  const [note, setNote] = useState('');
  return (
    <Section id="mails" title={text.title}>
      <Loaded query={query}>
        {({ mailSettings: stored }) => (
          <div className="limited">
            <Form
              action={action}
              fields={['language']}
              label={text.title}
              onSubmit={(values) => {
                setNote('');
                void action.run(async () => {
                  await graph.mutate('changeMailSettings', {
                    language: valueIn(text.languages, textOf(values, 'language')) ?? stored.language,
                  });
                  setNote(text.saved);
                });
              }}
            >
              <SelectInput
                name="language"
                label={text.language}
                hint={text.languageHint}
                defaultValue={stored.language}
                options={text.languages}
              />
              <div className="row">
                <Button type="submit" isBusy={action.isBusy}>
                  {frameTexts.get().save}
                </Button>
                <span role="status">{note}</span>
              </div>
            </Form>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
