// Chinese (Hong Kong).
import type { Locale } from '../locale'

export const zhHK: Locale = {
  footer: {
    text: '您收到此電郵，是因為您同意接收 {projectName} 發出的電郵。',
    link: '取消訂閱',
  },
}
