import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from './button.tsx';
import './code.css';
import './overlay.css';
import { CopyButton } from './copy.tsx';
import { Checkbox } from './checkbox.tsx';

export interface SecretOnceProps {
  secret: string;
  /** What it is, to those who cannot see. */
  label: string;
  /** A file that holds it, such as `.env`. */
  file: { name: string; text: string };
  onDone: () => void;
}

/** A secret that is shown this once: copied, or saved, and then confirmed. */
export function SecretOnce({ secret, label, file, onDone }: SecretOnceProps) {
  const [stored, setStored] = useState(false);
  const id = useId();
  return (
    <div className="secret">
      <p id={id}>This is shown once. We keep only a fingerprint of it and cannot show it again.</p>
      <div className="secret-value" role="group" aria-label={label} aria-describedby={id}>
        <code>{secret}</code>
        <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <div className="row">
        <Button onPress={() => saveFile(file)}>
          <Download size={14} aria-hidden />
          Download {file.name}
        </Button>
      </div>
      <Checkbox isSelected={stored} onChange={setStored}>
        I have stored it
      </Checkbox>
      <div className="modal-foot">
        <Button kind="primary" isDisabled={!stored} onPress={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Hands text to the browser as a file, without a round trip to the server. */
export function saveFile({ name, text }: { name: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
