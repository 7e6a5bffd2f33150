import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction, type Action } from '../frame/use-graph.js';
import { graph } from './graph.js';
import type { ImportCheck } from './import-check.js';
import { uploadFiles, type Uploaded, type UploadedFile } from './import-pieces.js';

/** The state of an import that a person prepares, and what can be done with it. */
export interface PreparedImport {
  readonly action: Action;
  readonly hasFiles: boolean;
  readonly reason: string;
  readonly uploaded: Uploaded | undefined;
  /** The name of a file that is too large to be uploaded. */
  readonly tooLarge: string | undefined;
  readonly check: ImportCheck | undefined;
  readonly chooseFiles: (files: readonly File[]) => void;
  readonly giveReason: (reason: string) => void;
  /** Uploads the files, and finds out what importing them would do. */
  readonly checkNow: () => void;
  readonly importNow: () => void;
}

export function useImport(): PreparedImport {
  const action = useAction();
  const navigate = useNavigate();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [reason, setReason] = useState('');
  const [stored, setStored] = useState<readonly UploadedFile[]>([]);
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
  const checked = async () => {
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
  const imported = async () => {
    const { importFiles } = await graph.mutate('importFiles', { files: [...stored], reason: given }, key);
    if (importFiles !== null) await navigate({ to: '/operacao/importacoes/$id', params: { id: importFiles.id } });
  };
  return {
    ...{ action, reason, uploaded, tooLarge, check },
    hasFiles: files.length > 0,
    chooseFiles: (chosen) => {
      setFiles(chosen);
      setTooLarge(undefined);
      reset();
    },
    giveReason: (typed) => {
      setReason(typed);
      reset();
    },
    checkNow: () => void action.run(checked),
    importNow: () => void action.run(imported),
  };
}
