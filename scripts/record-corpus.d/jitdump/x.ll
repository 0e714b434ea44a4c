; three small functions with line tables, one on "line 0" (compiler-made code)
source_filename = "x.c"
target triple = "x86_64-pc-linux-gnu"

define i32 @twice(i32 %n) !dbg !5 {
  %d = shl i32 %n, 1, !dbg !8
  ret i32 %d, !dbg !9
}

define i32 @sum(i32 %n) !dbg !10 {
entry:
  br label %loop, !dbg !11
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi i32 [ 0, %entry ], [ %more, %loop ]
  %t = call i32 @twice(i32 %i), !dbg !12
  %more = add i32 %acc, %t, !dbg !12
  %next = add i32 %i, 1, !dbg !13
  %done = icmp sge i32 %next, %n, !dbg !13
  br i1 %done, label %out, label %loop, !dbg !13
out:
  ret i32 %more, !dbg !14
}

define i32 @main() !dbg !15 {
  %r = call i32 @sum(i32 10), !dbg !16
  %bad = icmp ne i32 %r, 90, !dbg !17
  %code = zext i1 %bad to i32, !dbg !17
  ret i32 %code, !dbg !18
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "hand", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "x.c", directory: "/srv/app")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "twice", scope: !1, file: !1, line: 1, type: !4, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!8 = !DILocation(line: 2, column: 14, scope: !5)
!9 = !DILocation(line: 2, column: 5, scope: !5)
!10 = distinct !DISubprogram(name: "sum", scope: !1, file: !1, line: 5, type: !4, scopeLine: 5, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 6, column: 9, scope: !10)
!12 = !DILocation(line: 8, column: 16, scope: !10)
!13 = !DILocation(line: 7, column: 30, scope: !10)
!14 = !DILocation(line: 9, column: 5, scope: !10)
!15 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 12, type: !4, scopeLine: 12, spFlags: DISPFlagDefinition, unit: !0)
!16 = !DILocation(line: 13, column: 13, scope: !15)
!17 = !DILocation(line: 0, scope: !15)
!18 = !DILocation(line: 14, column: 5, scope: !15)
