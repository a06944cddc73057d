// Answers of the receivers.
import { Type } from '@sinclair/typebox'

export const receiverAnswer = Type.Object({
  success: Type.Boolean(),
  duplicate: Type.Optional(Type.Boolean({ description: 'It had taken effect before' })),
  message: Type.Optional(Type.String()),
})
