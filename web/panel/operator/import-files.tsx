import { Link } from '@tanstack/react-router';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { decimal } from '../frame/language.js';
import { FailureNotice, Form, PageHead } from '../frame/parts.js';
import { ImportCheckResult } from './import-check.js';
import type { Uploaded } from './import-pieces.js';
import { operatorTexts } from './texts.js';
import { useImport, type PreparedImport } from './use-import.js';

/** Uploads files, shows what importing them would do, and imports them. */
export function ImportFiles() {
  const { imports: text } = operatorTexts.get();
  const prepared = useImport();
  const { action, uploaded, tooLarge, check, importNow } = prepared;
  return (
    <>
      <PageHead
        title={text.upload}
        lead={
          <>
            {text.uploadLead} <Link to="/operacao/importacoes">{text.back}</Link>
          </>
        }
      />
      <Fields prepared={prepared} />
      {tooLarge === undefined ? null : (
        <p className="notice bad" role="alert">
          {text.tooLarge(tooLarge)}
        </p>
      )}
      {action.isBusy && check === undefined ? <Progress uploaded={uploaded} /> : null}
      {check === undefined ? null : (
        <>
          <ImportCheckResult check={check} isBusy={action.isBusy} onImport={importNow} />
          <FailureNotice failure={action.failure} />
        </>
      )}
    </>
  );
}

function Fields({ prepared }: { readonly prepared: PreparedImport }) {
  const { imports: text } = operatorTexts.get();
  const { action, hasFiles, reason, chooseFiles, giveReason, checkNow } = prepared;
  return (
    <Form action={action} fields={['reason']} label={text.upload} onSubmit={checkNow}>
      <FilesInput onChoose={chooseFiles} />
      <TextInput
        name="reason"
        label={text.correctReason}
        hint={text.correctHint}
        value={reason}
        onChange={giveReason}
        maxLength={500}
      />
      <div className="row">
        <Button kind="main" type="submit" isBusy={action.isBusy} isDisabled={!hasFiles}>
          {text.check}
        </Button>
      </div>
    </Form>
  );
}

/** The browser's own field for files, onto which they can be dropped. */
function FilesInput({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const { imports: text } = operatorTexts.get();
  return (
    <label className="field">
      <span>{text.files}</span>
      <input
        type="file"
        name="files"
        multiple
        accept=".csv,.json,text/csv,application/json"
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
        }}
      />
      <span className="small muted">{text.filesHint}</span>
    </label>
  );
}

/** How much of the files is uploaded; then that the server works on them. */
function Progress({ uploaded }: { readonly uploaded: Uploaded | undefined }) {
  const { imports: text } = operatorTexts.get();
  if (uploaded === undefined) return null;
  const { done, total } = uploaded;
  return (
    <p role="status">
      {done < total ? text.uploading(decimal(done), decimal(total)) : text.checking}{' '}
      {done < total ? <progress value={done} max={total} aria-label={text.files} /> : null}
    </p>
  );
}
