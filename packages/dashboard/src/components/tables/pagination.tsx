import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import '../page.css';

export interface PaginationProps {
  /** "1–20 of 96". */
  children: string;
  onPrevious: (() => void) | null;
  onNext: (() => void) | null;
}

/** For lists with fixed pages, such as a history. Lists without a known end use CursorList. */
export function Pagination({ children, onPrevious, onNext }: PaginationProps) {
  return (
    <nav className="pagination" aria-label="Pages">
      <span>{children}</span>
      <div className="row">
        <Button small isDisabled={!onPrevious} onPress={() => onPrevious?.()}>
          <ChevronLeft size={14} aria-hidden />
          Previous
        </Button>
        <Button small isDisabled={!onNext} onPress={() => onNext?.()}>
          Next
          <ChevronRight size={14} aria-hidden />
        </Button>
      </div>
    </nav>
  );
}
