// The warnings about a workflow that is enabled or tried out.

import { Type } from '@sinclair/typebox'
import { answeredId } from '../../../lib/answered'
import { oneOfWords } from '../../../lib/described'
import { warningCodes } from './loops'

export const workflowWarnings = Type.Array(
  Type.Object({
    code: oneOfWords(warningCodes),
    message: Type.String(),
    stepId: Type.Optional(Type.String({ description: 'Of the step that it is about' })),
    workflows: Type.Array(Type.Object({ id: answeredId(), name: Type.String() })),
  }),
  { description: 'What may go wrong while it is on; nothing is refused for it' },
)
