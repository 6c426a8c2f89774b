import { Moon, Sun } from 'lucide-react';
import { chooseScheme, useScheme } from '../../app/scheme.ts';
import { IconButton } from '../../components/controls/button.tsx';
import { PageHead } from '../../components/page.tsx';
import { ChartStory } from './chart-story.tsx';
import { FeedbackStory } from './feedback-story.tsx';
import { FormStory } from './form-story.tsx';
import { PartStory } from './part-story.tsx';
import './story.css';
import { TableStory } from './table-story.tsx';

/** Every component in every state, with sample data. It makes no requests, so it needs no session. */
export function StoryPage() {
  const scheme = useScheme();
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <div className="page story">
      <PageHead
        title="Components"
        lead="All components, with sample data"
        actions={
          <IconButton label={`Use ${other} theme`} large onPress={() => chooseScheme(other)}>
            {scheme === 'dark' ? <Sun size={16} /> : <Moon size={16} />}
          </IconButton>
        }
      />
      <PartStory />
      <FormStory />
      <FeedbackStory />
      <TableStory />
      <ChartStory />
    </div>
  );
}
