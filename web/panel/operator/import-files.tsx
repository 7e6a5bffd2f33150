import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/controls/button.js';
import { TextInput } from '../../design/controls/fields.js';
import { decimal } from '../frame/language.js';
import { FailureNotice, Form, PageHead } from '../frame/parts.js';
import { useAction } from '../frame/use-graph.js';
import { graph } from './graph.js';
import { ImportCheckResult, type ImportCheck } from './import-check.js';
import { uploadFiles, type Uploaded, type UploadedFile } from './import-pieces.js';
import { operatorTexts } from './texts.js';

/** Uploads files, shows what importing them would do, and imports them. */
export function ImportFiles() {
  const { imports: text } = operatorTexts.get();
  const action = useAction();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [reason, setReason] = useState('');
  const [stored, setStored] = useState<readonly UploadedFile[]>();
  const [uploaded, setUploaded] = useState<Uploaded>();
  const [tooLarge, setTooLarge] = useState<string>();
  const [check, setCheck] = useState<ImportCheck>();
  // One import, however often a person tries the same one.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const reset = () => {
    setCheck(undefined);
    setKey(crypto.randomUUID());
    action.clear();
  };
  const given = reason.trim() === '' ? null : reason.trim();
  const checkNow = async () => {
    setCheck(undefined);
    setUploaded(undefined);
    // Anew each time: a file on disk may have changed since, and pieces are kept for two hours.
    const found = await uploadFiles(files, setUploaded);
    if (typeof found === 'string') {
      setTooLarge(found);
      return;
    }
    setStored(found);
    const { checkImport } = await graph.mutate('checkImport', { files: [...found], reason: given });
    if (checkImport !== null) setCheck(checkImport);
  };
  const importNow = async () => {
    const { importFiles } = await graph.mutate('importFiles', { files: [...(stored ?? [])], reason: given }, key);
    if (importFiles !== null) await navigate({ to: '/operacao/importacoes/$id', params: { id: importFiles.id } });
  };
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
      <Form
        action={action}
        fields={['reason']}
        label={text.upload}
        onSubmit={() => {
          void action.run(checkNow);
        }}
      >
        <FilesInput
          onChoose={(chosen) => {
            setFiles(chosen);
            setTooLarge(undefined);
            reset();
          }}
        />
        <TextInput
          name="reason"
          label={text.correctReason}
          hint={text.correctHint}
          value={reason}
          onChange={(value) => {
            setReason(value);
            reset();
          }}
          maxLength={500}
        />
        <div className="row">
          <Button kind="main" type="submit" isBusy={action.isBusy} isDisabled={files.length === 0}>
            {text.check}
          </Button>
        </div>
      </Form>
      {tooLarge === undefined ? null : (
        <p className="notice bad" role="alert">
          {text.tooLarge(tooLarge)}
        </p>
      )}
      {action.isBusy && check === undefined ? <Progress uploaded={uploaded} /> : null}
      {check === undefined ? null : (
        <>
          <ImportCheckResult
            check={check}
            isBusy={action.isBusy}
            onImport={() => {
              void action.run(importNow);
            }}
          />
          <FailureNotice failure={action.failure} />
        </>
      )}
    </>
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
