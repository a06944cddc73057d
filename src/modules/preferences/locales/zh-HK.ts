// Chinese (Hong Kong).
import type { Locale } from '../locale'

export const zhHK: Locale = {
  code: 'zh-HK',
  footer: {
    text: '您收到此電郵，是因為您同意接收 {projectName} 發出的電郵。',
    link: '取消訂閱',
  },
  unsubscribe: {
    title: '取消訂閱',
    question: '您要停止在 {email} 接收 {projectName} 發出的電郵嗎？',
    button: '取消訂閱',
    manageLink: '改為管理訂閱',
    doneTitle: '您已取消訂閱',
    done: '您將不會再於 {email} 收到 {projectName} 的通訊。',
    changedMind: '改變主意了嗎？',
    again: '重新訂閱',
  },
  subscribe: {
    title: '訂閱',
    question: '您要在 {email} 接收 {projectName} 發出的電郵嗎？',
    button: '訂閱',
    doneTitle: '您已訂閱',
    done: '您將在 {email} 收到 {projectName} 的電郵。',
  },
  manage: {
    title: '管理訂閱',
    description: '決定是否在 {email} 接收 {projectName} 的電郵。',
    label: '您的訂閱',
    subscribed: '您已訂閱。',
    unsubscribed: '您已取消訂閱。',
    paused: '電郵已暫停至 {date}。',
    subscribedNote: '您的選擇已儲存。您將再次收到電郵。',
    unsubscribedNote: '您的選擇已儲存。您將不會再收到通訊。',
    pausedNote: '您的選擇已儲存。在 {date} 之前，您不會收到通訊。',
    unsubscribeLink: '前往取消訂閱頁面',
    subscribeLink: '前往訂閱頁面',
    disclaimer:
      '這裡指的是電郵通訊及優惠資訊。與您的帳戶或訂單有關的訊息（例如收據及重設密碼）仍可能發送給您。',
  },
  topics: {
    title: '您接收的內容',
    question: '您要停止在 {email} 接收來自 {projectName} 的「{topic}」嗎？',
    everything: '取消訂閱全部',
  },
  snooze: {
    title: '或者先暫停一段時間',
    changeTitle: '更改暫停時間',
    label: '暫停電郵',
    durations: {
      '2_weeks': '2 星期',
      '1_month': '1 個月',
      '6_months': '6 個月',
      '1_year': '1 年',
    },
    button: '暫停',
    resume: '立即恢復接收電郵',
  },
  forms: {
    email: '電郵地址',
    optional: '選填',
    consent: '訂閱即表示您同意接收 {projectName} 的電郵。您可以隨時取消訂閱。',
    step: {
      title: '尚餘一步',
      text: '請按下按鈕提交表格。',
      button: '提交',
    },
    asked: {
      title: '請查看您的收件箱',
      text: '如果該地址可以接收，一封附有連結的電郵正在發送途中。請開啟連結並確認，之後才算訂閱成功。如果沒有收到，請查看垃圾郵件資料夾。此類電郵每天最多發送一封。',
    },
    confirm: {
      title: '確認您的訂閱',
      button: '確認',
    },
    over: {
      title: '此連結已失效',
      text: '它已被使用、已過期，或已被較新的電郵取代。請重新填寫表格。',
    },
    closed: {
      title: '此表格已關閉',
      text: '目前未能使用。',
    },
    faults: {
      email: '請輸入有效的電郵地址。',
      refused: '我們無法向此地址發送電郵。請使用其他地址。',
      fields: '請檢查標示的欄位。',
      tooMany: '嘗試次數過多。請稍後再試。',
    },
    mail: {
      subject: '請確認您對 {projectName} 的訂閱',
      text: '有人（希望是您本人）要求以 {email} 接收 {projectName} 的電郵。請確認您願意接收。',
      until: '連結在 {date} 之前有效。',
      ignore: '如果不是您本人，請忽略此電郵。您不會再收到其他電郵。',
    },
  },
  privacy: {
    title: '你的資料',
    offer:
      '你可以查看 {projectName} 在此保存的有關你的資料，或要求刪除。連結會以電郵寄到 {email}，以免他人代你操作。',
    button: '把連結寄給我',
    asked: '如果 {email} 能夠收件，附有連結的電郵正在寄出。每天最多寄出一封。',
    mail: {
      subject: '你在 {projectName} 的資料',
      text: '有人（希望是你本人）要求查看 {projectName} 保存的有關 {email} 的資料。透過連結可以查看，也可以刪除。',
      ignore: '如果不是你本人，請不用理會這封電郵。',
    },
    read: '查看',
    save: '儲存為檔案 (JSON)',
    erase: {
      title: '刪除全部',
      text: '此處保存的有關 {email} 的資料將永久刪除，並且不再寄任何電郵到該地址。此操作無法還原。',
      sure: '是的，刪除',
      button: '刪除',
      doneTitle: '正在刪除你的資料',
      done: '只保留一組用來識別你地址的代碼，以便不再寄電郵給它。',
    },
    over: '連結已過期，或資料已經刪除。我們電郵中的連結可以取得新連結。',
    parts: { contact: '你', fields: '欄位', consent: '同意', events: '事件', messages: '電郵' },
    newest: '最新的 {number} 項。檔案中包含全部。',
  },
  faults: {
    brokenTitle: '發生錯誤',
    broken: '請於幾分鐘後再試一次。',
    invalidTitle: '此連結無效',
    invalid: '連結可能不完整，或該地址已被移除。請完全按照電郵中的連結開啟。',
    goneTitle: '此頁面已不可用',
    gone: '連結正確，但寄件者已改用其他電郵系統，此頁面已不可用。',
    choose: '請選擇其中一個選項。',
    notSubscribed: '只有訂閱中才可暫停。請先訂閱。',
  },
}
