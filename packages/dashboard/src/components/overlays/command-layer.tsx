import type { RefObject } from 'react';
import { Dialog, Heading } from 'react-aria-components';
import { CodeBlock } from '../code/code.tsx';
import type { CommandProps } from './command-props.ts';
import { FloatingPopover } from './floating-popover.tsx';

export interface CommandLayerProps extends Pick<CommandProps, 'title' | 'text'> {
  triggerRef: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The popover with the command. */
export function CommandLayer({ title, text, triggerRef, onClose }: CommandLayerProps) {
  return (
    <FloatingPopover
      isOpen
      triggerRef={triggerRef}
      placement="bottom end"
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Dialog className="curl">
        <Heading slot="title" level={2}>
          {title}
        </Heading>
        <CodeBlock text={text} label="Command" />
      </Dialog>
    </FloatingPopover>
  );
}
