// Chinese (Taiwan).
import type { Locale } from '../locale'

export const zhTW: Locale = {
  code: 'zh-TW',
  footer: {
    text: '您收到這封電子郵件，是因為您同意接收來自 {projectName} 的電子郵件。',
    link: '取消訂閱',
  },
  unsubscribe: {
    title: '取消訂閱',
    question: '您要停止在 {email} 接收來自 {projectName} 的電子郵件嗎？',
    button: '取消訂閱',
    manageLink: '改為管理訂閱',
    doneTitle: '您已取消訂閱',
    done: '您將不會再於 {email} 收到 {projectName} 的電子報。',
    changedMind: '改變主意了嗎？',
    again: '重新訂閱',
  },
  subscribe: {
    title: '訂閱',
    question: '您要在 {email} 接收來自 {projectName} 的電子郵件嗎？',
    button: '訂閱',
    doneTitle: '您已訂閱',
    done: '您將在 {email} 收到 {projectName} 的電子郵件。',
  },
  manage: {
    title: '管理訂閱',
    description: '決定是否要在 {email} 接收 {projectName} 的電子郵件。',
    label: '您的訂閱',
    subscribed: '您已訂閱。',
    unsubscribed: '您已取消訂閱。',
    paused: '電子郵件已暫停至 {date}。',
    subscribedNote: '您的選擇已儲存。您將再次收到電子郵件。',
    unsubscribedNote: '您的選擇已儲存。您將不會再收到電子報。',
    pausedNote: '您的選擇已儲存。在 {date} 之前，您不會收到電子報。',
    unsubscribeLink: '前往取消訂閱頁面',
    subscribeLink: '前往訂閱頁面',
    disclaimer:
      '這裡指的是電子報與優惠訊息。與您的帳戶或訂單有關的訊息（例如收據與重設密碼）仍可能寄送給您。',
  },
  topics: {
    title: '您接收的內容',
    question: '您要停止在 {email} 接收來自 {projectName} 的「{topic}」嗎？',
    everything: '取消訂閱全部',
  },
  snooze: {
    title: '或者先暫停一陣子',
    changeTitle: '更改暫停時間',
    label: '暫停電子郵件',
    durations: {
      '2_weeks': '2 週',
      '1_month': '1 個月',
      '6_months': '6 個月',
      '1_year': '1 年',
    },
    button: '暫停',
    resume: '立即恢復接收電子郵件',
  },
  faults: {
    brokenTitle: '發生錯誤',
    broken: '請於幾分鐘後再試一次。',
    invalidTitle: '此連結無效',
    invalid: '連結可能不完整，或該地址已被移除。請完全依照電子郵件中的連結開啟。',
    choose: '請選擇其中一個選項。',
    notSubscribed: '只有訂閱中才能暫停。請先訂閱。',
  },
}
